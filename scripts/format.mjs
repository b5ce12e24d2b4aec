// npm run format -- [PATH…]: formats, and mends what the linter can mend.
import path from 'node:path';
import { become, bootstrap, root } from './bootstrap.mjs';

const paths = process.argv.slice(2);
bootstrap();
const biome = path.join(root, 'node_modules/.bin/biome');
become(biome, ['check', '--write', ...(paths.length > 0 ? paths : ['.'])], process.env);
