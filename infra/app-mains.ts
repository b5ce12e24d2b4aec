/** The main files of all programs in apps/, by the name that a program has in logs and in docker-compose.yml. */
export const appMains = {
  api: 'apps/api/src/main.ts',
  'parse-worker': 'apps/parse-worker/src/main.ts',
  'enrich-worker': 'apps/enrich-worker/src/main.ts',
  'push-worker': 'apps/push-worker/src/main.ts',
  'folder-worker': 'apps/folder-worker/src/main.ts',
  keeper: 'apps/keeper/src/main.ts',
  'store-simulator': 'apps/simulators/store/src/main.ts',
  'source-simulator': 'apps/simulators/sources/src/main.ts',
  'graph-simulator': 'apps/simulators/graph/src/main.ts',
  'ai-simulator': 'apps/simulators/ai/src/main.ts',
} as const;

export type AppName = keyof typeof appMains;

/** The bundled program of an app, which compileApps makes of its main file. */
export const appProgram = (name: AppName): string => `.cache/apps/${name}/main.mjs`;
