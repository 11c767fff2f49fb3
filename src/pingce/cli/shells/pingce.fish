# Completion of pingce for fish.  Now: pingce completion fish | source
# Always: pingce completion fish > ~/.config/fish/completions/pingce.fish
function _pingce_completion
    for row in (env _PINGCE_COMPLETE=fish _PINGCE_LINE=(commandline -cp | string collect) pingce 2>/dev/null)
        set -l parts (string split -m 2 \t -- $row)
        switch $parts[1]
            case file
                __fish_complete_path (commandline -ct)
            case folder
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\t%s\n' $parts[2] "$parts[3]"
        end
    end
end
complete --no-files --keep-order --command pingce --arguments '(_pingce_completion)'
