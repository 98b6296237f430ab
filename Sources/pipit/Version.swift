/// The version of pipit, as `pipit --version`, the package and OSC show it.
let version = "0.2.0~1"
