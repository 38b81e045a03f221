import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortId } from '../../../shared/format/id.ts';
import { keyQuery } from '../../api/keys.ts';

interface Props {
  readonly id: string;
  /** If it is known already. */
  readonly name?: string | undefined;
  /** In a dialog: a new tab, so that what was typed stays. */
  readonly newTab?: boolean;
}

/** A key in a sentence, by its name; by its id until that is known. */
export function KeyLink({ id, name: given, newTab = false }: Props) {
  const key = useQuery({ ...keyQuery(id), enabled: given === undefined, staleTime: MINUTE_MS });
  const name = given ?? key.data?.name;
  return (
    <Link to="/keys/$id" params={{ id }} title={id} target={newTab ? '_blank' : undefined}>
      {name === undefined ? <code>{shortId(id)}</code> : <bdi>{name}</bdi>}
    </Link>
  );
}
