import type { Page } from 'playwright-core';

/** The code that a key of an American keyboard has. */
function keyCodeOf(char: string): string {
  if (/\d/.test(char)) return `Digit${char}`;
  return /[a-z]/i.test(char) ? `Key${char.toUpperCase()}` : '';
}

/** The keys of a scanner come in this distance. */
const gapMs = 10;
/**
 * The keys' times are ahead by this, so that the page waits for the others when a busy machine delays them. A text
 * without a suffix ends after this time, the others with their suffix.
 */
const aheadMs = { withSuffix: 20_000, withoutSuffix: 1_000 };

/** Types as a hand-held scanner does. The keys are sent with their times, without waiting for the page. */
export async function typeAsScanner(page: Page, text: string, suffix: 'Enter' | 'Tab' | null = 'Enter') {
  const session = await page.context().newCDPSession(page);
  const keys = [...text].map((char) => ({ key: char, code: keyCodeOf(char), text: char }));
  const ends = { Enter: { text: '\r', virtual: 13 }, Tab: { text: '', virtual: 9 } } as const;
  const end = suffix === null ? [] : [{ key: suffix, code: suffix, text: ends[suffix].text }];
  const beganMs = Date.now() + (suffix === null ? aheadMs.withoutSuffix : aheadMs.withSuffix);
  await Promise.all(
    [...keys, ...end].flatMap(({ text: written, ...key }, at) => {
      const virtual = key.key === 'Enter' || key.key === 'Tab' ? ends[key.key].virtual : 0;
      // In seconds.
      const timestamp = (beganMs + at * gapMs) / 1_000;
      const common = { ...key, windowsVirtualKeyCode: virtual, timestamp };
      return [
        session.send('Input.dispatchKeyEvent', {
          type: 'keyDown',
          ...common,
          ...(written && { text: written }),
        }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
      ];
    }),
  );
  await session.detach();
}
