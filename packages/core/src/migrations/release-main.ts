// Records the migrations of this version as released: node packages/core/src/migrations/release-main.ts
import { writeFileSync } from 'node:fs';
import { hashMigration, releasedFile } from './migrations-released.ts';
import { partsOfStart } from './parts-of-start.ts';
import { ownMigrations } from './schema-gate.ts';

const files = ownMigrations().filter((name) => !partsOfStart.includes(name));
const lines = files.map((name) => `  "${name}": "${hashMigration(name)}"`);
writeFileSync(releasedFile, `{\n${lines.join(',\n')}\n}\n`);
console.log(`${lines.length} migrations are released.`);
