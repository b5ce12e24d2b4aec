import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mayImport } from './architecture.ts';
import { drawPicture, pictureIn } from './picture.ts';

test('draws a node per folder, and no arrow where others already lead', () => {
  const picture = drawPicture({
    'packages/domain': [],
    'packages/core': ['domain'],
    'packages/queues': ['core', 'domain'],
    'apps/api': ['domain', 'queues'],
    'apps/simulators/queues': ['domain'],
    infra: [],
  });
  expect(picture.split('\n')).toEqual([
    '```mermaid',
    'flowchart TD',
    '  subgraph packages',
    '    domain',
    '    core',
    '    queues',
    '  end',
    '  subgraph apps',
    '    api',
    '  end',
    '  subgraph simulators',
    '    simulators/queues',
    '  end',
    '  subgraph tools',
    '    infra',
    '  end',
    '  core --> domain',
    '  queues --> core',
    '  api --> queues',
    '  simulators/queues --> domain',
    '```',
  ]);
});

test('docs/ARCHITECTURE.md holds the picture of the table', () => {
  const file = path.resolve(import.meta.dirname, '../docs/ARCHITECTURE.md');
  expect(pictureIn(readFileSync(file, 'utf8'))).toBe(drawPicture(mayImport));
});
