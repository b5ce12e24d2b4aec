export { FirstSteps, SampleButton } from './empty-queue.tsx';
