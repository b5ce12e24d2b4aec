// node scripts/pictures.mjs [--all DIR]: pictures of the screens for docs/images.
// --all: every screen, width and scheme, into DIR.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/pictures/pictures-main.ts', ...process.argv.slice(2)], process.env);
