import Synth
import Testing
