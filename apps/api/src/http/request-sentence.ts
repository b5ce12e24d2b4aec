import type { z } from 'zod';

/** A sentence that says what is wrong with a request and names the `field`. */
export function requestSentence(issue: z.core.$ZodIssue, field: string): string {
  const what = field === '' ? 'The request' : `The field ${field}`;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && field === '') return 'The request needs a JSON body.';
      if (issue.input === undefined) return `${what} is missing.`;
      return `${what} must be ${article(issue.expected)}.`;
    case 'invalid_value':
      return `${what} must be one of ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `${what} has an unknown field: ${issue.keys.join(', ')}.`;
    case 'too_big':
      return `${what} is too ${issue.origin === 'string' ? 'long' : 'large'} (maximum ${issue.maximum}).`;
    case 'too_small':
      return `${what} is too ${issue.origin === 'string' ? 'short' : 'small'} (minimum ${issue.minimum}).`;
    case 'custom':
      return issue.message;
    default:
      return `${what} is invalid.`;
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
