import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../shared/ui/controls/button.tsx';

/** Shows the whole list again; for where the filters left nothing of it. */
export function ClearFilters() {
  return (
    <Link to="." search={{}} replace className={buttonClass('plain')}>
      Clear filters
    </Link>
  );
}
