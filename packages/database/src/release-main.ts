// Records the migrations of this version as released: node packages/database/src/release-main.ts
import { writeFileSync } from 'node:fs';
import { hashMigration, releasedFile } from './migrations-released.ts';
import { ownMigrations } from './schema-gate.ts';

const hashes = ownMigrations().map((name) => [name, hashMigration(name)]);
writeFileSync(releasedFile, `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
console.log(`${hashes.length} migrations are released.`);
