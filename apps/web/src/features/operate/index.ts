export { BackgroundWork, ConditionsSection } from './background-work.tsx';
export { useConditions, useFields, useNoPushWorker, useReady } from './operate-api.ts';
