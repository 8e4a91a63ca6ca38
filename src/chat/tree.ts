import type { ChatMessage } from '../protocol/message.ts'

/** A message and the one before it. */
export interface TreeNode {
  readonly message: ChatMessage
  readonly parent: string | undefined
}

/**
 * A conversation with all its branches. An immutable value: every message has one parent, and of each message's children
 * one is selected; the messages shown are the path along the selected ones.
 */
export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>
  /** Children by parent, in order of creation; those without a parent stand under `undefined`. */
  readonly children: ReadonlyMap<string | undefined, readonly string[]>
  /** The child that is shown, by parent. */
  readonly selected: ReadonlyMap<string | undefined, string>
  /** The messages shown, in order. */
  readonly path: readonly ChatMessage[]
}

/** The versions of one message: answers to the same question, or edits of it. */
export interface Branches {
  readonly ids: readonly string[]
  /** Place of the one that is shown. */
  readonly index: number
}

/** A conversation in one line. */
export function treeOf(messages: readonly ChatMessage[]): Tree {
  const nodes = new Map<string, TreeNode>()
  const children = new Map<string | undefined, readonly string[]>()
  const selected = new Map<string | undefined, string>()
  let parent: string | undefined
  for (const message of messages) {
    nodes.set(message.id, { message, parent })
    children.set(parent, [message.id])
    selected.set(parent, message.id)
    parent = message.id
  }
  return { nodes, children, selected, path: messages }
}

/** A conversation with branches: parents first. Of siblings the one named last in `chosen` is shown, else the newest. */
export function treeOfNodes(list: readonly TreeNode[], chosen: readonly string[]): Tree {
  const nodes = new Map<string, TreeNode>()
  const children = new Map<string | undefined, string[]>()
  const selected = new Map<string | undefined, string>()
  for (const node of list) {
    const { message, parent } = node
    nodes.set(message.id, node)
    children.set(parent, [...(children.get(parent) ?? []), message.id])
    selected.set(parent, message.id)
  }
  for (const id of chosen) {
    const node = nodes.get(id)
    if (node !== undefined) selected.set(node.parent, id)
  }
  return withPath({ nodes, children, selected })
}

/** Adds a message under a parent (`undefined`: at the beginning) and shows it. */
export function addMessage(tree: Tree, message: ChatMessage, parent: string | undefined): Tree {
  const siblings = tree.children.get(parent) ?? []
  return withPath({
    nodes: new Map(tree.nodes).set(message.id, { message, parent }),
    children: new Map(tree.children).set(parent, [...siblings, message.id]),
    selected: new Map(tree.selected).set(parent, message.id),
  })
}

/** Puts a newer version of a message in the place of the one with its id. */
export function putMessage(tree: Tree, message: ChatMessage): Tree {
  const node = tree.nodes.get(message.id)
  if (node === undefined || node.message === message) return tree
  const nodes = new Map(tree.nodes).set(message.id, { ...node, message })
  return { ...tree, nodes, path: onPath(tree.path, message) }
}

/** The path with a newer version of one of its messages: what a growing answer costs each frame. */
export function onPath(path: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const place = path.findLastIndex((other) => other.id === message.id)
  return place === -1 ? path : path.with(place, message)
}

/** Takes a message and all that follows it away. */
export function removeMessage(tree: Tree, id: string): Tree {
  const node = tree.nodes.get(id)
  if (node === undefined) return tree
  const nodes = new Map(tree.nodes)
  const children = new Map(tree.children)
  const selected = new Map(tree.selected)
  const gone = [id]
  for (let next = gone.pop(); next !== undefined; next = gone.pop()) {
    gone.push(...(children.get(next) ?? []))
    nodes.delete(next)
    children.delete(next)
    selected.delete(next)
  }
  const siblings = (children.get(node.parent) ?? []).filter((other) => other !== id)
  children.set(node.parent, siblings)
  const last = siblings.at(-1)
  if (last === undefined) selected.delete(node.parent)
  else if (selected.get(node.parent) === id) selected.set(node.parent, last)
  return withPath({ nodes, children, selected })
}

/** Shows the message with this id, and the path that leads to it. */
export function select(tree: Tree, id: string): Tree {
  const selected = new Map(tree.selected)
  let next: string | undefined = id
  while (next !== undefined) {
    const node = tree.nodes.get(next)
    if (node === undefined) return tree
    selected.set(node.parent, next)
    next = node.parent
  }
  return withPath({ ...tree, selected })
}

/** The versions that stand beside a message, itself included. */
export function branchesOf(tree: Tree, id: string): Branches {
  const node = tree.nodes.get(id)
  if (node === undefined) return { ids: [], index: -1 }
  const ids = tree.children.get(node.parent) ?? []
  return { ids, index: ids.indexOf(id) }
}

/** The messages from the beginning to this one, along its own branch. */
export function pathTo(tree: Tree, id: string | undefined): readonly ChatMessage[] {
  const path: ChatMessage[] = []
  let next = id
  while (next !== undefined) {
    const node = tree.nodes.get(next)
    if (node === undefined) break
    path.push(node.message)
    next = node.parent
  }
  return path.toReversed()
}

function withPath(tree: Omit<Tree, 'path'>): Tree {
  const path: ChatMessage[] = []
  let next = tree.selected.get(undefined)
  while (next !== undefined) {
    const node = tree.nodes.get(next)
    if (node === undefined) break
    path.push(node.message)
    next = tree.selected.get(next)
  }
  return { ...tree, path }
}
