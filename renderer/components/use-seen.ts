/** Detects that the user could have read something: whether its end has been visible. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** Attach the ref to an element at the end of the content. True once it was visible, undefined until the content is painted. */
export function useSeen(): [RefObject<HTMLDivElement | null>, boolean | undefined] {
  const end = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState<boolean>();
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const isVisible = entries.some(({ isIntersecting }) => isIntersecting);
      setSeen((wasSeen) => wasSeen || isVisible);
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return [end, isSeen];
}
