import { Title } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import shared from '../import.module.css';
import { picturesWords } from './picture-words.ts';
import { usePictureCounts } from './pictures-api.ts';
import { PicturesDrawer } from './pictures-drawer.tsx';

/** The pictures of an import's archive or workbook: how many have a product. */
export function PicturesStrip({ importId }: { importId: string }) {
  const { data } = usePictureCounts(importId);
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="stack" aria-labelledby="pictures">
      <Title order={2} id="pictures" tabIndex={-1} className={shared.sectionHead}>
        Pictures
      </Title>
      <div className="row-wrap">
        {data !== undefined && <span className="numbers">{picturesWords(data.counts)}</span>}
        <Button variant="default" size="compact-sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Show Pictures
        </Button>
      </div>
      {data !== undefined && (
        <PicturesDrawer
          importId={importId}
          counts={data.counts}
          opened={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}
