import type { TaskKind } from '../work/task-catalog.ts';

/** The loss if a dead task of a kind is given up, as a sentence. Null if such a task can only be retried. */
const withoutTask: Record<TaskKind, string | null> = {
  'remove-rows': 'Rows that were replaced stay in the database and take up space.',
  'retire-rows': 'Old rows stay in the database and take up space.',
  // A half-deleted import cannot be used.
  'delete-import': null,
  'find-in-imports': 'Products that are also in other imports aren’t marked.',
  'keep-items': 'Products that are new in this list count as new again in the supplier’s next list.',
  'count-list': 'The next list of this supplier is compared with only a part of this one.',
  'check-guards': 'Prices aren’t checked by the guards of their supplier.',
  'take-pictures': 'Pictures that weren’t taken out of the file yet stay missing.',
  'compare-corrections': 'Uploaded corrections aren’t compared. Upload them again.',
  'apply-command': 'The part of the change that was already made is undone.',
  'apply-recipes': 'The part of the change that was already made is undone.',
  // A half-finished undo leaves rows that are neither as before the change nor as after it.
  'undo-command': null,
  'update-added': 'Products that were added from the scanner keep the values they had.',
  'look-up-products': 'Missing values of this import aren’t looked up.',
  'look-up-again': 'Missing values of this import aren’t looked up again.',
  'look-up-anew': 'Missing values of this import aren’t looked up again.',
  'ask-upcitemdb': 'UPCitemdb isn’t asked about this import.',
  'ask-open-products-facts': 'Open Products Facts isn’t asked about this import.',
  'ask-barcode-lookup': 'Barcode Lookup isn’t asked about this import.',
  'check-images': 'Pictures that weren’t checked yet stay unchecked.',
  'match-pictures': 'Products don’t get the pictures of the file.',
  'apply-rules': 'Your rules aren’t applied to this import.',
  'ask-ai': 'The AI service isn’t asked about more products of this import.',
  'plan-push': 'There is no plan of what a push would do.',
  'plan-gone': 'There is no plan for the products that are no longer listed. Make the plan again.',
  'plan-undo': 'There is no preview of the push’s undo. Preview the undo again.',
  'learn-values': 'Values of this push aren’t remembered for look-ups.',
};

/** Kinds of tasks that cannot be retried, because their questions are discarded when they fail. */
export const tasksWithoutRetry: readonly TaskKind[] = ['ask-ai'];

/** Returns the loss if a dead task is given up, as a sentence. Null if the task can only be retried. */
export function findLossIfGivenUp(task: string): string | null {
  // The task may be of a kind that only another version has.
  if (!Object.hasOwn(withoutTask, task)) return 'Its result stays missing.';
  return withoutTask[task as TaskKind];
}

/** Whether a dead task can be retried. */
export const canRetryTask = (task: string): boolean =>
  !(tasksWithoutRetry as readonly string[]).includes(task);

/** Appends a period to a message without a final punctuation mark. */
export const endWithPeriod = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** Maximum number of imports that one click on a button retries or gives up. */
export const importsPerActionMax = 1_000;

/** Returns why a chunk is dead, as a sentence, and the technical cause if it is not in that sentence. */
export function explainDeadChunk(
  { error, attempts }: { error: string | null; attempts: number },
  attemptsMax: number,
): { sentence: string; technical: string | null } {
  if (error === null) return { sentence: 'The cause isn’t known.', technical: null };
  if (attempts < attemptsMax) return { sentence: endWithPeriod(error), technical: null };
  return { sentence: `It failed ${attempts} times because of an internal error.`, technical: error };
}
