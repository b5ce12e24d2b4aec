import type { ProductChoices } from '@draftshelf/core/push/previews/push-choices';
import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { type ChoiceSubject, choicesBySubject, type PushChoice } from '@draftshelf/domain/push/push-choices';
import { hashComparedParts, type LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { DecisionOf, Question } from './decision.ts';

/** `isOutdated`: a choice was made, but about an earlier state. */
export type AskedQuestion = { question: Question; isOutdated: boolean };

/** Returns a question with the choice made about the state `basis`. The choice is null if there is none. */
export function toQuestion(
  made: ProductChoices,
  about: ChoiceSubject,
  basis: string,
  choices: readonly PushChoice[] = choicesBySubject[about],
): AskedQuestion {
  const found = made.get(about);
  const holds = found?.basis === basis && choices.includes(found.choice);
  const question = { about, basis, choices, choice: holds ? found.choice : null };
  return { question, isOutdated: found !== undefined && !holds };
}

/** Returns the basis of choices about a store product as read. The choices end when the product changes. */
export const getLiveBasis = (live: LiveProduct): string => `${live.id} ${hashComparedParts(live)}`;

export const parseBasisId = (basis: string): string => basis.split(' ')[0] ?? '';

/** Joins sentences for the operator. Returns null if there are none. */
export const joinSentences = (...sentences: readonly (string | null | undefined)[]): string | null =>
  sentences.filter(Boolean).join(' ') || null;

type Skipped = { message: string; storeProductId: string | null; sendingHash?: string | null };

export function decideSkip(
  { question, isOutdated }: AskedQuestion,
  { message, storeProductId, sendingHash = null }: Skipped,
): DecisionOf<'skip'> {
  const code: OutcomeCode = isOutdated ? 'choice-outdated' : question.about;
  const chosen = question.choice === 'skip' ? `${message} Skipped, as you chose.` : message;
  return {
    ...{ kind: 'skip', code, storeProductId, sendingHash, question },
    message: isOutdated ? `${outdatedMessage} ${message}` : chosen,
  };
}

const outdatedMessage =
  'Not as you chose: the product, or how it is compared, has changed since. Choose again.';
