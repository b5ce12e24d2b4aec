import type { UndoneProduct } from '@draftshelf/contract/push/push-undo';
import classes from './push-undo.module.css';
import { partName } from './undo-words.ts';

type PartValuesProps = { title: string; parts: UndoneProduct['parts'] };

const columns = [
  ['before', 'Before the push'],
  ['ours', 'As pushed'],
  ['now', 'Now'],
] as const;

/** The parts of a product that stay, each with its three values. */
export function PartValues({ title, parts }: PartValuesProps) {
  return (
    <div className={classes.values}>
      <table aria-label={`Values of ${title}`}>
        <thead>
          <tr>
            <th scope="col">Part</th>
            {columns.map(([key, words]) => (
              <th key={key} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((line) => (
            <tr key={`${line.part} ${line.name}`}>
              <th scope="row">{partName(line)}</th>
              {columns.map(([key, words]) => (
                <td
                  key={key}
                  dir="auto"
                  data-label={words}
                  data-now={key === 'now' || undefined}
                  data-empty={!line[key] || undefined}
                >
                  {line[key] || 'empty'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
