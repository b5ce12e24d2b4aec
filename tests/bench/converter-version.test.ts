import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { converterVersion } from '@draftshelf/workbooks/container-kind';
import { openBytes, textOf } from '@draftshelf/workbooks/testing/read-all';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../fixtures/workbooks/', import.meta.url));

/**
 * The texts of all fixtures. If the converter writes others, its version rises: stored texts of the version before are
 * not read as its own then. If only a fixture is new, the hash alone changes.
 */
const written = { version: 3, sha256: '8e7c42c0f6e23f976265042223e60c587177944c1e0f09747b0880ecab60d090' };

test('the converter writes the texts of its version', async () => {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder)
    .filter((file) => /\.(?:xlsx|ods)$/.test(file))
    .toSorted()) {
    const container = await openBytes(new Uint8Array(readFileSync(folder + name)));
    for (const { n } of container.tables) hash.update(`${name} ${n}\n${await textOf(container, n)}`);
  }
  expect({ version: converterVersion, sha256: hash.digest('hex') }).toEqual(written);
});
