# Answers each request by as many arrays.
while read -r request; do
    n=${request#*\"n\":}
    yes '[1, 2]' | head -n "${n%%,*}"
done
