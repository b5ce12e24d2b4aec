import { findHtmlProblem } from '@draftshelf/domain/enrich/ai/check-html';
import { expect, test } from 'vitest';
import { cleanHtml } from './clean-html.ts';

const pieces = [
  '<p>',
  '</p>',
  '<ul>',
  '</ul>',
  '<li>',
  '</li>',
  '<em>',
  '</em>',
  '<strong>',
  '</strong>',
  '<br>',
  'a',
];

/** All texts of up to `length` pieces. */
function* texts(length: number, start = ''): Generator<string> {
  yield start;
  if (length > 0) for (const piece of pieces) yield* texts(length - 1, start + piece);
}

test('the HTML of AI texts that passes its check is not changed before a push', () => {
  let passed = 0;
  for (const text of texts(5)) {
    if (findHtmlProblem(text) !== null) continue;
    passed++;
    if (cleanHtml(text) !== text) expect(cleanHtml(text)).toBe(text);
  }
  expect(passed).toBeGreaterThan(100);
});

test.each([
  '<p>a',
  'a</p>',
  '<p class="x">a</p>',
  '<li>a</li>',
  '<p><ul></ul></p>',
  '<b>a</b>',
  'a &#106;',
  '<!-- a -->',
])('AI texts may not have %s', (html) => {
  expect(findHtmlProblem(html)).not.toBeNull();
});

test.each(['a < b & c', '5 > 4 &amp; 3', '<p>a<br/>b</p><ul><li>a</li></ul>', '<p><strong>a</strong></p>'])(
  'AI texts may have %s',
  (html) => {
    expect(findHtmlProblem(html)).toBeNull();
    expect(cleanHtml(html)).toBe(html);
  },
);
