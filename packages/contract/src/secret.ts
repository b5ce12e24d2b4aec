import { z } from 'zod';
import { enteredCharsMax } from './wire.ts';

/** A text that has to be entered. */
export const EnteredText = z.string().trim().min(1, 'Please fill this in.').max(enteredCharsMax);

/** A token, key or secret as an operator enters it. */
export const Secret = EnteredText.regex(/^[\x21-\x7e]*$/, 'This contains characters that no key has.');
