import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

type Unpacked = { executable: string; env: Record<string, string | undefined> };

/** Where a Chrome or Chromium with windows is usually installed. */
const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const isHeaded = process.env.HEADED === '1';

/**
 * Starts the Chromium of an npm package, so that the tests need no browser on the machine. It resolves no host but
 * this machine. HEADED=1: starts one of the machine instead, because the package's has no windows. `more`: further
 * arguments.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { executable, env } = isHeaded
    ? { executable: installedBrowser(), env: process.env }
    : await unpack();
  return chromium.launch({
    executablePath: executable,
    env,
    headless: !isHeaded,
    // Else processes would share memory in files on the disk, which takes a twentieth of the processor time.
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    // Playwright sets the other flags for headless tests. The package's own list would disable web security.
    args: [
      '--no-sandbox',
      '--font-render-hinting=none',
      // Without a graphics card it would be simulated, which takes a fifth of the processor time.
      '--disable-gpu',
      // A camera with a moving picture. This Chromium has no question to the user; browser.ts refuses the camera.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...more,
    ],
  });
}

/** Whether there is room for what three Chromiums share; a container often has 64 MB. */
async function hasSharedMemory(): Promise<boolean> {
  const room = await statfs('/dev/shm').catch(() => undefined);
  return room !== undefined && room.bavail * room.bsize >= 1024 ** 3;
}

/** The path of the machine's browser, for HEADED=1. Throws if there is none. */
export function installedBrowser(): string {
  const found = [process.env.CHROMIUM ?? '', ...installed].find((file) => existsSync(file));
  if (found) return found;
  throw new Error('HEADED=1 needs Chrome or Chromium. None was found: set CHROMIUM to its path.');
}

/** Unpacks once per version and user; the loser of a race discards its copy. */
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
  // The package contains libraries that a minimal Debian lacks; libraries of the machine are preferred.
  const starts = spawnSync(executable, ['--version'], { env }).status === 0;
  return { executable, env: starts ? env : { ...env, LD_LIBRARY_PATH: join(dir, 'al2023/lib') } };
}

async function packageVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  return JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')).version;
}

/** The package's own configuration uses /tmp/fonts; without fonts every text is 0 px wide. */
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
