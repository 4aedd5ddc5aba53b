/** Detects that the user could have read something: whether its end has been visible. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** Attach the ref to an element at the end of the content. True from the moment it was first visible. */
export function useSeen(): [RefObject<HTMLDivElement | null>, boolean] {
  const end = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return [end, isSeen];
}
