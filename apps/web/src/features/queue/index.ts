export { FirstSteps } from './empty-queue.tsx';
export { SampleButton } from './sample-button.tsx';
