/** Who may import whom, by folder; what is imported is named without its `packages/`. */
export type Arrows = Record<string, readonly string[]>;

const begin =
  '<!-- The picture: printed by scripts/architecture.ts, compared with its table by npm test. -->';
const end = '<!-- End of the picture. -->';

/**
 * Draws rooms and arrows as Mermaid. An arrow is left out where others already lead there, so that the picture shows
 * the floors; what may be imported is said by the table alone.
 */
export function drawPicture(arrows: Arrows): string {
  const lines = ['```mermaid', 'flowchart TD'];
  for (const [floor, folders] of floorsOf(Object.keys(arrows))) {
    lines.push(`  subgraph ${floor}`, ...folders.map((folder) => `    ${roomOf(folder)}`), '  end');
  }
  for (const [folder, imported] of Object.entries(arrows)) {
    const drawn = imported.filter(
      (room) => !imported.some((other) => other !== room && leadsTo(arrows, other, room)),
    );
    if (drawn.length > 0) lines.push(`  ${roomOf(folder)} --> ${drawn.join(' & ')}`);
  }
  return [...lines, '```'].join('\n');
}

/** The picture that a document holds between the two marks, or undefined. */
export function pictureIn(document: string): string | undefined {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  return from < 0 || to < from ? undefined : document.slice(from + begin.length, to).trim();
}

const roomOf = (folder: string): string => folder.split('/').at(-1) ?? folder;

/** Folders by what they lie in; those at the top lie beside the product. */
function floorsOf(folders: readonly string[]): Map<string, string[]> {
  return Map.groupBy(folders, (folder) => (folder.includes('/') ? (folder.split('/')[0] ?? '') : 'tools'));
}

function leadsTo(arrows: Arrows, from: string, to: string): boolean {
  const imported = arrows[`packages/${from}`] ?? arrows[from] ?? [];
  return imported.includes(to) || imported.some((room) => leadsTo(arrows, room, to));
}
