export { BackgroundWork } from './background-work.tsx';
export { useConditions } from './conditions-api.ts';
export { ConditionsSection } from './conditions-section.tsx';
export { useDebugReport, useFields, useReady, useSystemInfo } from './system-api.ts';
export { useNoPushWorker } from './workers-api.ts';
