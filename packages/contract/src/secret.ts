import { z } from 'zod';
import { enteredCharsMax } from './wire.ts';

/** A required text. */
export const EnteredText = z.string().trim().min(1, 'Please fill this in.').max(enteredCharsMax);

/** A token, key or secret that an operator enters. */
export const Secret = EnteredText.regex(/^[\x21-\x7e]*$/, 'This contains characters that no key has.');
