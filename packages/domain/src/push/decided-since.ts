import type { PushChoice } from './push-choices.ts';

/** Whether a product's choice differs from the plan's. A product without a choice is skipped, as by choice. */
export const isDecidedSince = ({
  about,
  plannedChoice,
  choice,
}: {
  about: string | null;
  plannedChoice: PushChoice | null;
  choice: PushChoice | null;
}): boolean => about !== null && (plannedChoice ?? 'skip') !== (choice ?? 'skip');
