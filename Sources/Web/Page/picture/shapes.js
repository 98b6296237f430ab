// What draws which picture: functions of a section and a size, with lines, words and grips as their result.

import { chorus } from "./chorus.js"
import { delay } from "./delay.js"
import { drive } from "./drive.js"
import { envelope } from "./envelope.js"
import { equalizer } from "./equalizer.js"
import { filter } from "./filter.js"
import { lfo } from "./lfo.js"
import { oscillator } from "./oscillator.js"
import { reverb } from "./reverb.js"

/** By the PICTURE of a section. Others have none. */
export const SHAPES = { wave: oscillator, envelope, filter, eq: equalizer, lfo, drive, chorus, delay, reverb }

/** Pictures over frequency, behind which the spectrum lies. */
export const OVER_FREQUENCY = new Set(["filter", "eq"])
