import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { credentialPurposes, deriveSealingKey } from '@draftshelf/core/access/sealing';
import { readVersion } from '@draftshelf/runtime/version';

// Writes .env.example with random secrets to a new file. An existing file is not replaced: its keys could be lost.

const [file, ...others] = process.argv.slice(2);
if (!file || file.startsWith('-') || others.length > 0) exit('Name the new file: npm run env -- .env');

/** Secrets are hexadecimal, because passwords become parts of URLs. */
const random = (bytes: number) => randomBytes(bytes).toString('hex');
const passwords = ['POSTGRES_PASSWORD', 'APP_DATABASE_PASSWORD', 'REDIS_PASSWORD', 'S3_SECRET_KEY'];
const secrets = new Map([...passwords, 'SESSION_SECRET'].map((name) => [name, random(24)]));
const credentialsKey = random(32);
secrets.set('ACCESS_KEY', random(16)).set('CREDENTIALS_KEY', credentialsKey);
for (const purpose of credentialPurposes) {
  secrets.set(`SEALING_KEY_${purpose.toUpperCase()}`, deriveSealingKey(credentialsKey, purpose));
}
const values = new Map([...secrets, ['DRAFTSHELF_VERSION', readVersion()]]);
// Only a published image sets this variable. Other images are built where they run.
const { DRAFTSHELF_IMAGE: image } = process.env;
if (image) values.set('DRAFTSHELF_IMAGE', image).set('COMPOSE_FILE', 'docker-compose.yml');
const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const filled = example.replace(/^([A-Z\d_]+)=.*$/gm, (line, name) => {
  const value = values.get(name);
  return value === undefined ? line : `${name}=${value}`;
});

try {
  // The flag `wx` also refuses a symbolic link.
  writeFileSync(file, filled, { flag: 'wx', mode: 0o600 });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  exit(
    code === 'EEXIST'
      ? `${file} exists, and was not changed. Its keys may be in use: move it away to get new ones.`
      : `${file} could not be written: ${message}`,
  );
}
console.log(
  `Written: ${file}, with random values for ${[...secrets.keys()].join(', ')}.
Operators sign in with ACCESS_KEY. Keep a copy of CREDENTIALS_KEY apart from the backups, which need it.`,
);

function exit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
