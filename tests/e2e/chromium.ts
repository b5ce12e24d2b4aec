import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

type Unpacked = { executable: string; env: Record<string, string | undefined> };

/**
 * Starts the Chromium of an npm package, so that the tests need no browser on the machine. It reaches this machine
 * only: every other host is unknown to it.
 */
export async function launchChromium(): Promise<Browser> {
  const { executable, env } = await unpack();
  return chromium.launch({
    executablePath: executable,
    env,
    // Playwright sets what else headless tests need. The package's own list would switch web security off.
    args: [
      '--no-sandbox',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  });
}

/** Unpacks once per version and user; who comes second in a race throws its own copy away. */
async function unpack(): Promise<Unpacked> {
  const dir = join(tmpdir(), `draftshelf-chromium-${await packageVersion()}-${userInfo().uid}`);
  if (!existsSync(dir)) {
    const staging = await mkdtemp(`${dir}-`);
    const main = fileURLToPath(new URL('./unpack-chromium-main.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [main], { env: { ...process.env, TMPDIR: staging } });
    await writeFile(join(staging, 'fonts.conf'), fontsConf(dir));
    await rename(staging, dir).catch(async (error) => {
      await rm(staging, { recursive: true, force: true });
      if (!existsSync(dir)) throw error;
    });
  }
  const executable = join(dir, 'chromium');
  const env = { ...process.env, FONTCONFIG_FILE: join(dir, 'fonts.conf') };
  // Libraries that a bare Debian lacks come with the package; where the machine has its own, they fit it better.
  const starts = spawnSync(executable, ['--version'], { env }).status === 0;
  return { executable, env: starts ? env : { ...env, LD_LIBRARY_PATH: join(dir, 'al2023/lib') } };
}

async function packageVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  return JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')).version;
}

/** The package's own names /tmp/fonts; without fonts every text is 0 px wide. */
function fontsConf(dir: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${dir}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${dir}/font-cache</cachedir>
</fontconfig>
`;
}
