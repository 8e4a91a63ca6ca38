/** The parts of a question whether a tool may run. @module */
export { ApprovalRoot as Root, type ApprovalRootProps as RootProps } from './approval-root.tsx'
export { ApprovalQuestion as Question } from './approval-question.tsx'
export { ApprovalAllow as Allow, ApprovalDeny as Deny } from './approval-buttons.tsx'
