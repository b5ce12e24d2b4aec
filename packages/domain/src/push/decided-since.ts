import type { PushChoice } from './push-choices.ts';

/**
 * Whether another choice was made about a product than its plan was made with, or it was taken back, so that its
 * outcome is another one now. A product without a choice is skipped, as by choice.
 */
export const isDecidedSince = ({
  about,
  plannedChoice,
  choice,
}: {
  about: string | null;
  plannedChoice: PushChoice | null;
  choice: PushChoice | null;
}): boolean => about !== null && (plannedChoice ?? 'skip') !== (choice ?? 'skip');
