import type { Plugin } from 'vite';

/**
 * Parts of libraries that nothing in the browser uses, but that the build keeps because their libraries refer to them.
 * What stands in for an export throws when it is used.
 */
const unused = [
  // Table.ScrollContainer, and with it the ScrollArea, for every screen with a table: 5 kB.
  { module: /[\\/]Table[\\/]TableScrollContainer\.mjs$/, standIn: 'absent' },
  // Groups of buttons: 0.7 kB.
  {
    module: /[\\/](?:Button|ActionIcon)Group(?:Section)?[\\/](?:Button|ActionIcon)Group(?:Section)?\.mjs$/,
    standIn: 'absent',
  },
  // Tooltip.Floating, which follows the pointer: 1 kB.
  { module: /[\\/]TooltipFloating[\\/]TooltipFloating\.mjs$/, standIn: 'absent' },
  // The arrows of tooltips and popovers, which none of ours has: 1 kB.
  { module: /[\\/]FloatingArrow[\\/]get-arrow-position-styles\.mjs$/, standIn: 'absent' },
  // The router's instrumentation: 1 kB. Each navigation asks it for a receiver, and there is none.
  { module: /[\\/]react-router[\\/].*[\\/]router[\\/]instrumentation\.js$/, standIn: '() => undefined' },
  // Pages that a server renders: 0.8 kB.
  {
    module: /[\\/]react-router[\\/].*[\\/]ssr[\\/](?:links|markup|single-fetch)\.js$/,
    standIn: 'absent',
  },
];

const exported = /^export (?:(?:const|function|class) (\w+)|\{ (\w+(?:, \w+)*) \};)/gm;

/** Leaves these parts out of the build. */
export function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    apply: 'build',
    transform: {
      filter: { id: unused.map(({ module }) => module) },
      handler(code, id) {
        const standIn = unused.find(({ module }) => module.test(id))?.standIn;
        const names = [...code.matchAll(exported)].flatMap(
          ([, declared, listed]) => declared ?? listed?.split(', ') ?? [],
        );
        const absent =
          "const absent = () => { throw new Error('without-unused.ts leaves this out of the build'); };";
        return {
          code: [absent, ...names.map((name) => `export const ${name} = ${standIn};`)].join('\n'),
          map: null,
        };
      },
    },
  };
}
