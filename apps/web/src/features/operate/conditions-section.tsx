import type { Condition, EndedCondition } from '@draftshelf/contract/operate/conditions';
import { Skeleton, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Read } from '../../ui/feedback/read.tsx';
import classes from '../../ui/sections.module.css';
import { BodyText, RelativeTime, SmallText } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { useConditions } from './operate-api.ts';

export const ConditionsSection = () => (
  <TitledSection id="conditions" title="Problems">
    <div className={classes.problems}>
      <Read of={useConditions()} what="the problems" meanwhile={<Skeleton height={22} />}>
        {({ conditions, ended }) => (
          <>
            {conditions.length === 0 ? (
              <ul className="list" aria-label="Problems">
                <li className="marked" data-tone="good">
                  <IconCircleCheck size={18} aria-hidden />
                  No Problems Found
                </li>
              </ul>
            ) : (
              <ul className={`list stack ${classes.conditions} gap-md`} aria-label="Problems">
                {conditions.map((condition) => (
                  <ConditionLine key={condition.id} {...condition} />
                ))}
              </ul>
            )}
            {ended.length > 0 && (
              <ul className="list" aria-label="Problems that have ended">
                {ended.map((condition) => (
                  <EndedLine key={condition.id} {...condition} />
                ))}
              </ul>
            )}
          </>
        )}
      </Read>
    </div>
  </TitledSection>
);

const EndedLine = ({ id, sentence, detail, endedAt }: EndedCondition) => (
  <SmallText component="li">
    {detail === null ? sentence : `${sentence} ${detail}`} Ended <RelativeTime time={endedAt} />,{' '}
    <code>{id}</code> in docs/OPERATIONS.md
  </SmallText>
);

const ConditionLine = ({ id, sentence, detail, todo, since }: Condition) => (
  <li>
    <Text fw={550}>{sentence}</Text>
    {detail !== null && <BodyText>{detail}</BodyText>}
    <BodyText>{todo}</BodyText>
    <SmallText>
      Since <RelativeTime time={since} />, <code>{id}</code> in docs/OPERATIONS.md
    </SmallText>
  </li>
);
