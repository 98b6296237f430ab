import Parameters
import Testing
