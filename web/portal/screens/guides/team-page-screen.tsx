import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isStatus } from '../../../shared/transport/error.ts';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { teamPageQuery } from '../../api/front.ts';
import { textSections } from '../../markdown/headings.ts';
import { createLinkedHeadings } from '../../markdown/linked-heading.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { teamPageAddress } from './guides.ts';
import { OnThisPage } from './on-this-page.tsx';
import styles from './guides.module.css';

/** A page of the team that runs the API. */
export function TeamPageScreen() {
  const { name } = useParams({ from: '/pages/$name' });
  const page = useQuery(teamPageQuery(name));
  if (page.data !== undefined) {
    return (
      <Page title={page.data.title}>
        <div className={styles.page}>
          <div className={styles.guide}>
            <Markdown
              text={page.data.markdown}
              level={1}
              addressOf={teamPageAddress}
              createHeadings={createLinkedHeadings}
            />
          </div>
          <OnThisPage sections={textSections(page.data.markdown)} />
        </div>
      </Page>
    );
  }
  if (isStatus(page.error, 404)) return <NotFound />;
  return (
    <Page title="Page">
      {page.isPending ? <Loading label="Loading the page" /> : <ReadFailure query={page} what="the page" />}
    </Page>
  );
}
