export { BackgroundWork } from './background-work.tsx';
export { ConditionsSection } from './conditions-section.tsx';
export { useConditions, useFields, useNoPushWorker, useReady } from './operate-api.ts';
