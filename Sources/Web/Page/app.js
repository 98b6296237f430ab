// The state that all views share: the connection, the values, the tree of knobs, the history.

import { Int } from "./link/osc.js"
import { Outbox } from "./link/outbox.js"
import { Questions } from "./link/questions.js"
import { Socket } from "./link/socket.js"
import { History } from "./model/history.js"
import { RemoteChanges } from "./model/remotechanges.js"
import { Tree } from "./model/tree.js"
import { Values } from "./model/values.js"

export const PARTS = 8

const values = new Values()
const socket = new Socket((address, args) => {
  if (app.questions.take(address, args)) return
  if (address === "/error") return app.onRefusal?.(String(args[0] ?? ""))
  if (address === "/monitor") return app.onSamples?.(args[0], args[1])
  values.set(address, args.length > 1 ? args : args[0])
})
const outbox = new Outbox(socket)
const history = new History()
const unknown = new Set()

export const app = {
  values, socket, outbox, history,
  questions: new Questions(socket),
  remoteChanges: new RemoteChanges(() => "another hand", (knob, name) => history.note(knob, name)),
  /** The tree of knobs; undefined until it is loaded. */
  tree: undefined,

  /** The number of the part in focus, from 1, which addresses without /part/N mean. */
  get focus() { return values.get("/focus", 1) },

  /** Sends the box a message at once. Whole numbers are sent as integers. */
  tell(address, ...args) { return socket.send(address, ...args.map((one) => (Number.isInteger(one) ? new Int(one) : one))) },

  /** Makes the knobs from the box's tree. */
  grow(root) {
    app.tree = new Tree(root, values, outbox)
    app.tree.onMoved = (knob) => app.remoteChanges.moved(knob)
    // The box sends the sounds of parts out of focus only to clients that ask.
    app.tree.onUnknown = (address) => { if (!socket.send(address)) unknown.add(address) }
  },
}

// Another part or preset changes many knobs at once, without anybody turning them.
for (const address of ["/focus", "/preset/name"]) values.listen(address, () => app.remoteChanges.expectBulkChange())
values.listen("/preset/edited", (isEdited) => { if (!isEdited) app.remoteChanges.expectBulkChange() })
socket.addEventListener("change", () => {
  app.remoteChanges.expectBulkChange()
  if (socket.isOpen) {
    for (const address of unknown) socket.send(address)
    return unknown.clear()
  }
  outbox.clear()
  app.questions.clear()
})
