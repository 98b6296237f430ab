/// The version of pipit, shown by `pipit --version`, the package and OSC.
let version = "0.3.0~1"
