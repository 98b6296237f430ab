import Synth
