import path from 'node:path';
import { isLoopback } from '@draftshelf/runtime/access-key';
import type { EnvSource } from '@draftshelf/runtime/env';
import { createLineFormatter } from '@draftshelf/runtime/logger';
import { freePort } from '../free-port.ts';
import { appNodeArgs, launchNode } from '../launch.ts';
import type { LogFile } from '../log-file.ts';
import type { StartConfig } from '../start-config.ts';
import { StartError } from '../start-error.ts';
import { type ProcessObserver, type Program, type Supervised, supervise } from '../supervisor.ts';
import { systemEnv } from '../system-env.ts';
import { loadedFiles } from './loaded-files.ts';
import { watchFiles } from './watch-files.ts';

const webDir = 'apps/web';
const inspectorAddress = '127.0.0.1:9229';
const migrations = 'packages/core/src/migrations/';

/** The differences of `npm run dev` to `npm start`. */
export type DevMode = {
  /** The web app's files that are served as they are; Vite serves the page and its modules. */
  publicDir: string;
  /** Vite at the address of the product. It passes the calls of the api on. */
  web: Program;
  /** Also shows a program's output in the terminal, and restarts an app when a file that it loads changes. */
  supervise(program: Program, observer: ProcessObserver): Supervised;
  close(): void;
};

type DevOptions = {
  root: string;
  config: StartConfig;
  source: EnvSource;
  report: (text: string) => void;
};

/** Prepares `npm run dev` and begins to watch the sources. */
export async function openDevMode({ root, config, source, report }: DevOptions): Promise<DevMode> {
  if (!isLoopback(config.HOST)) {
    throw new StartError('npm run dev is for this machine only: leave HOST unset, or use npm start.');
  }
  const apiPort = String(await freePort());
  const apps: WatchedApp[] = [];
  const loaded = loadedFiles(root);
  const watchers = ['apps', 'packages'].map((folder) =>
    watchFiles(path.join(root, folder), (files) => restartFor(files, { root, apps, loaded, report })),
  );
  const pretty = createLineFormatter();
  return {
    publicDir: path.join(root, webDir, 'public'),
    web: webProgram(root, config, source, apiPort),
    supervise(program, observer) {
      const shown = {
        ...observer,
        log: shownLog(observer.log, (line) => console.log(pretty(program.name, line))),
      };
      if (program.folder === undefined) return supervise(program, shown);
      const main = path.join(program.folder, 'src/main.ts');
      const launch = launchNode(path.join(root, main), [], appNodeArgs);
      const supervised = supervise({ ...appInDevelopment(program, source, apiPort), launch }, shown);
      apps.push({ supervised, main });
      return supervised;
    },
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function shownLog(log: LogFile | undefined, show: (line: string) => void): LogFile {
  return {
    file: log?.file ?? '',
    write(text) {
      log?.write(text);
      show(text.trimEnd());
    },
  };
}

function appInDevelopment(program: Program, source: EnvSource, apiPort: string): Program {
  const ofApi = { HOST: '127.0.0.1', PORT: apiPort, CHECK_REPLIES: 'true' };
  // INSPECT names the app whose inspector is open.
  const inspector = `${source.NODE_OPTIONS ?? ''} --inspect=${inspectorAddress}`.trim();
  const env = {
    ...program.env,
    ...(program.name === 'api' ? ofApi : {}),
    ...(program.name === source.INSPECT ? { NODE_OPTIONS: inspector } : {}),
  };
  return { ...program, env, waitsForRestart: true };
}

function webProgram(root: string, config: StartConfig, source: EnvSource, apiPort: string): Program {
  return {
    name: 'web',
    launch: launchNode(path.join(root, webDir, 'dev-main.ts')),
    env: {
      ...systemEnv(source),
      HOST: config.HOST,
      PORT: String(config.PORT),
      PUBLIC_URL: config.PUBLIC_URL,
      API_PORT: apiPort,
      S3_BUCKET: config.S3_BUCKET,
      CSV_BYTES_MAX: source.CSV_BYTES_MAX,
    },
    readyWhen: 'message',
    readyMsMax: 60_000,
    firstStartsMax: 1,
    stopSignal: 'SIGTERM',
    stopMsMax: 5_000,
  };
}

type WatchedApp = { supervised: Supervised; main: string };

type Restarts = {
  root: string;
  apps: readonly WatchedApp[];
  loaded: ReturnType<typeof loadedFiles>;
  report: (text: string) => void;
};

function restartFor(files: readonly string[], { root, apps, loaded, report }: Restarts): void {
  const sources = files.map((file) => path.relative(root, file)).filter(isSource);
  if (sources.some((file) => file.startsWith(migrations))) {
    report('A migration has changed: stop npm run dev and start it again, which runs it.');
    return;
  }
  loaded.forget(sources);
  const affected = apps.filter(({ main }) => {
    const files = loaded.of(main);
    return sources.some((file) => files.has(file));
  });
  if (affected.length === 0) return;
  const names = affected.map(({ supervised }) => supervised.name);
  report(`${sources.join(', ')} changed: restarting ${names.join(', ')}`);
  for (const { supervised } of affected) void supervised.restart();
}

const isSource = (file: string) => /\.(?:ts|json)$/.test(file) && !file.endsWith('.test.ts');
