import CArguments
import Glibc

exit(Program.run((0..<argument_count()).map { String(cString: argument($0)) }))
