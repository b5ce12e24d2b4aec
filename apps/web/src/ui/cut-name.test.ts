import { expect, test } from 'vitest';
import { splitName } from './basics.tsx';

test.each([
  ['autumn-lamps-2.csv', 'autumn-la', 'mps-2.csv'],
  ['a.csv', '', 'a.csv'],
  ['', '', ''],
  ['my lamps.csv', 'my ', 'lamps.csv'],
  ['陶瓷👩‍👩‍👧.csv', '陶瓷👩‍👩‍👧', '.csv'],
  ['مصابيح.csv', 'مصابيح.csv', ''],
  ['very-long-file-עברית-name.csv', 'very-long-file-עברית-name.csv', ''],
])('%s', (name, start, end) => {
  expect(splitName(name)).toEqual({ start, end });
});
