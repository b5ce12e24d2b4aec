import { expect, test } from 'vitest';
import { startBanner } from './start-banner.ts';
import { readStartConfig } from './start-config.ts';

const started = (env: Record<string, string>) => ({
  config: readStartConfig(env),
  dataDir: '/data',
  keys: { accessKey: 'abcd-efgh', sessionSecret: 's', credentialsKey: 'c' },
  storeUrl: 'http://127.0.0.1:4000',
  watched: { folder: '/data/watched', sample: env.WATCH_FOLDER === undefined ? '/data/sample.csv' : null },
});

test('a generated access key is shown on a terminal; elsewhere its file is', () => {
  expect(startBanner(started({}), { isTerminal: true })).toContain('abcd-efgh   (kept in /data/access-key)');
  const logged = startBanner(started({}), { isTerminal: false });
  expect(logged).toContain('Access key  in /data/access-key\n');
  expect(logged).not.toContain('abcd-efgh');
});

test('a key of the environment is never shown', () => {
  for (const isTerminal of [true, false]) {
    const text = startBanner(started({ ACCESS_KEY: 'a-key-of-the-operator' }), { isTerminal });
    expect(text).toContain('the one in ACCESS_KEY');
    expect(text).not.toContain('a-key-of-the-operator');
  }
});

test('the watched folder is shown, with the sample unless the operator has set the folder', () => {
  const shown = (env: Record<string, string>) => startBanner(started(env), { isTerminal: true });
  const turnOn = 'Folder      /data/watched   (turn monitoring on in Settings › OneDrive';
  expect(shown({})).toContain(`${turnOn}, then copy /data/sample.csv into it)\n`);
  expect(shown({ WATCH_FOLDER: '/data/watched' })).toContain(`${turnOn})\n`);
});
