import { overlay } from '../later.tsx';

/** The question before an action that cannot be undone. */
export const Question = overlay(() => import('./confirm.tsx').then((chunk) => chunk.Confirm));
