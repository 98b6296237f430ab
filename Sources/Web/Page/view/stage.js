import { el } from "../element/dom.js"; export const view = () => el("p", {}, "to come")
