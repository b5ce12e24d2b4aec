export { AiFold } from './ai-fold.tsx';
