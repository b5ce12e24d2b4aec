export { BackgroundWork, ConditionsSection } from './background-work.tsx';
export { useConditions, useFields, useNoPushWorker, useReadiness } from './operate-api.ts';
