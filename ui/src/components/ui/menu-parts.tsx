import { Check } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import type { LayerProps } from './layer'

/** Radix's menu below a button that is not Radix's: an invisible trigger stands where the button stands. */
export function MenuLayer({ anchor, onClose, children, className, align = 'start' }: LayerProps) {
  const box = anchor.getBoundingClientRect()
  const label = anchor.getAttribute('aria-label') ?? anchor.textContent ?? ''
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Trigger asChild>
        <span aria-label={label} role="presentation" tabIndex={-1} className="pointer-events-none fixed" style={{ left: box.left, top: box.top, width: box.width, height: box.height }} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.focus()
          }}
          className={cn(
            'z-50 max-h-[min(var(--radix-dropdown-menu-content-available-height),420px)] min-w-44 overflow-y-auto rounded-lg bg-panel p-1 text-ui text-text shadow-float duration-100 data-[state=open]:animate-in data-[state=open]:fade-in-0',
            className,
          )}
        >
          {children}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

const item =
  'relative flex h-7 select-none items-center gap-2 rounded px-2 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover'

export function Item({ className, ...props }: ComponentProps<typeof Menu.Item>) {
  return <Menu.Item className={cn(item, className)} {...props} />
}

export const RadioGroup = Menu.RadioGroup

export function RadioItem({ className, children, ...props }: ComponentProps<typeof Menu.RadioItem>) {
  return (
    <Menu.RadioItem className={cn(item, 'pl-7', className)} {...props}>
      <Menu.ItemIndicator className="absolute left-2">
        <Check size={14} className="text-accent" />
      </Menu.ItemIndicator>
      {children}
    </Menu.RadioItem>
  )
}

export function Label({ className, ...props }: ComponentProps<typeof Menu.Label>) {
  return <Menu.Label className={cn('px-2 py-1 text-small text-text-3', className)} {...props} />
}
