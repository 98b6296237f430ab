// The tuning of the part in focus, chosen from the Scala files of the box.

import { listMenu } from "../control/listmenu.js"

const ABOUT = "Scala files in the folder tunings of the box."

export const tunings = () => [listMenu("Tuning", "/tuning", { about: ABOUT }), listMenu("Key map", "/tuning/map", { about: ABOUT })]
