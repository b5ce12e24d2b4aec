export type ContainerErrorCode =
  | 'workbook_protected'
  | 'workbook_damaged'
  | 'no_list'
  | 'too_much'
  | 'conversion_died'
  | 'other_format';

/** The error of a file that cannot be read. Its message is a sentence for the operator. */
export class ContainerError extends Error {
  readonly code: ContainerErrorCode;

  constructor(code: ContainerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ContainerError';
    this.code = code;
  }
}

/** Returns the error for a file with contradictory contents. `what` completes 'The file is damaged: …'. */
export const damagedError = (what: string): ContainerError =>
  new ContainerError(
    'workbook_damaged',
    `The file is damaged: ${what}. It may have changed in transfer; get it again.`,
  );

export const cutOffError = (): ContainerError =>
  new ContainerError(
    'workbook_damaged',
    'The file is damaged: it ends before its table of contents. It was probably cut off in transfer; get it again.',
  );

export const tooLargeError = (message: string): ContainerError => new ContainerError('too_much', message);
