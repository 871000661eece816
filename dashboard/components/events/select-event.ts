/** Opens and closes the details of an event, whose ID is in the URL. */
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Returns a function that selects an event, or none. It keeps the page of the list. */
export function useSelectEvent(): (event: string | undefined) => void {
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/events' });
  return (event) =>
    void navigate({
      to: '/events',
      search: { ...search, event },
      state: (state) => state,
      replace: true,
      resetScroll: false,
    });
}
