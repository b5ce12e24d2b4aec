export { useAi } from './ai-api.ts';
export { AiFold } from './ai-fold.tsx';
