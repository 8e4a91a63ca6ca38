/**
 * For tests and demonstrations: models, clocks and faults that do as they are told.
 *
 * @module
 */
export { demoModel, type DemoModelOptions } from './testing/demo-model.ts'
export { demoScripts, type DemoScript } from './testing/demo-scripts.ts'
export { demoTools } from './testing/demo-tools.ts'
export { dropConnections, type DropOptions } from './testing/drop-connection.ts'
export { eachCut } from './testing/each-cut.ts'
export type { Fault, FaultType } from './testing/faults.ts'
export { injectFaults } from './testing/inject-faults.ts'
export { manualClock, type ManualClock } from './testing/manual-clock.ts'
export { manualScheduler, type ManualScheduler } from './testing/manual-scheduler.ts'
export {
  parseRecording,
  recordStream,
  replayStream,
  type Recording,
} from './testing/record-stream.ts'
export {
  scriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedPace,
} from './testing/scripted-model.ts'
